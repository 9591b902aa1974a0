`timescale 1ns/1ps

//% if operand
// The memory in front of the north edge: one line for each stationary row. The last row of a fold enters first.
//% else
// The memory in front of the north edge: one line for each vector of the stream, fold after fold along the columns.
//% end
module @P@feeder_north #(
    parameter int BITS = 8
) (
    input  logic comes,
    input  logic [BITS-1:0] vector,
//% if operand
    input  logic [BITS-1:0] row_fold,
//% end
    input  logic [BITS-1:0] col_fold,
    output logic [@COLS@*@W@-1:0] values,
    output logic [@COLS@-1:0] valid
);
//% if operand
    localparam bit [BITS-1:0] ROWS = @ROWS@;
    localparam bit [BITS-1:0] LAST_ROW = @ROWS@ - 1;
    localparam bit [BITS-1:0] ROW_FOLDS = @ROW_FOLDS@;
    localparam bit [BITS-1:0] LAST_ROW_FOLD = @ROW_FOLDS@ - 1;
    localparam bit [BITS-1:0] LAST_HELD = @LAST_ROWS@ - 1;
//% else
    localparam bit [BITS-1:0] STREAM = @STREAM@;
//% end
    localparam bit [BITS-1:0] LAST_FOLD = @COL_FOLDS@ - 1;
    localparam bit [@COLS@-1:0] LAST_VALID = {@COLS@{1'b1}} >> (@COLS@ - @LAST_COLS@);

    logic [@COLS@*@W@-1:0] lines [0:@NORTH_LINES@-1];
    initial $readmemh("@P@north.hex", lines);

//% if operand
    wire [BITS-1:0] row = LAST_ROW - vector;
    wire [BITS-1:0] at = (col_fold * ROW_FOLDS + row_fold) * ROWS + row;
    // If the last fold has no operands for a row, an empty row is shifted in.
    wire has_values = comes && (row_fold != LAST_ROW_FOLD || row <= LAST_HELD);
//% else
    wire [BITS-1:0] at = col_fold * STREAM + vector;
    wire has_values = comes;
//% end
    wire unused = &{1'b0, at};
    wire [@COLS@-1:0] valid_of_fold = col_fold == LAST_FOLD ? LAST_VALID : '1;
    assign values = has_values ? lines[at[@NORTH_BITS@-1:0]] : '0;
    assign valid = has_values ? valid_of_fold : '0;
endmodule
