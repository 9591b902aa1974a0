`timescale 1ns/1ps

// The memory in front of the west edge: one line for each vector of the stream, fold after fold along the rows.
module @P@feeder_west #(
    parameter int BITS = 8
) (
    input  logic comes,
    input  logic [BITS-1:0] vector,
    input  logic [BITS-1:0] row_fold,
    output logic [@ROWS@*@W@-1:0] values,
    output logic [@ROWS@-1:0] valid
);
    localparam bit [BITS-1:0] STREAM = @STREAM@;
    localparam bit [BITS-1:0] LAST_FOLD = @ROW_FOLDS@ - 1;
    localparam bit [@ROWS@-1:0] LAST_VALID = {@ROWS@{1'b1}} >> (@ROWS@ - @LAST_ROWS@);

    logic [@ROWS@*@W@-1:0] lines [0:@WEST_LINES@-1];
    initial $readmemh("@P@west.hex", lines);

    wire [BITS-1:0] at = row_fold * STREAM + vector;
    wire unused = &{1'b0, at};
    assign values = comes ? lines[at[@WEST_BITS@-1:0]] : '0;
    assign valid = !comes ? '0 : row_fold == LAST_FOLD ? LAST_VALID : '1;
endmodule
