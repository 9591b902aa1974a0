`timescale 1ns/1ps

// Counts through the folds at one edge of the array. Says whether a vector comes at the next clock edge, and which.
//
// If an edge passes fewer elements per cycle than a vector has, it collects credit: GAIN per cycle, COST per vector.
module @P@sequencer #(
    parameter int BITS = 8,
    // Number of clock edges before the first fold, and from one fold to the next.
    parameter bit [BITS-1:0] START = 0,
    parameter bit [BITS-1:0] PERIOD = 1,
    parameter bit [BITS-1:0] ROW_FOLDS = 1,
    parameter bit [BITS-1:0] COL_FOLDS = 1,
    parameter bit [BITS-1:0] VECTORS = 1,
    parameter bit [BITS-1:0] GAIN = 1,
    parameter bit [BITS-1:0] COST = 1
) (
    input  logic clk,
    input  logic rst,
    output logic begins,
    output logic comes,
    output logic is_last,
    // True if the previous clock edge was the last clock edge of a fold.
    output logic ended,
    output logic [BITS-1:0] vector,
    output logic [BITS-1:0] row_fold,
    output logic [BITS-1:0] col_fold
);
    localparam bit [BITS-1:0] ZERO = 0;
    localparam bit [BITS-1:0] ONE = 1;

    logic [BITS-1:0] until_start;
    logic [BITS-1:0] phase;
    logic [BITS-1:0] store;
    logic over;

    wire runs = until_start == ZERO;
    wire has_more = runs && vector != VECTORS;
    wire [BITS-1:0] stock = store + GAIN;
    wire is_enough = stock >= COST;
    wire is_end = runs && phase == PERIOD - ONE;
    wire is_last_row_fold = row_fold == ROW_FOLDS - ONE;
    wire is_last_col_fold = col_fold == COL_FOLDS - ONE;
    wire is_last_fold = is_last_row_fold && is_last_col_fold;

    assign begins = runs && phase == ZERO && !over;
    assign comes = has_more && is_enough;
    assign is_last = comes && vector == VECTORS - ONE;

    always_ff @(posedge clk) begin
        if (rst) begin
            until_start <= START;
            phase <= ZERO;
            over <= 1'b0;
            ended <= 1'b0;
            vector <= ZERO;
            store <= ZERO;
            row_fold <= ZERO;
            col_fold <= ZERO;
        end else if (!runs) begin
            until_start <= until_start - ONE;
        end else begin
            phase <= is_end ? ZERO : phase + ONE;
            ended <= is_end;
            if (is_end && !is_last_fold) begin
                vector <= ZERO;
                store <= ZERO;
//% if rows_first
                row_fold <= is_last_row_fold ? ZERO : row_fold + ONE;
                if (is_last_row_fold) col_fold <= col_fold + ONE;
//% else
                col_fold <= is_last_col_fold ? ZERO : col_fold + ONE;
                if (is_last_col_fold) row_fold <= row_fold + ONE;
//% end
            end else begin
                if (is_end) over <= 1'b1;
                if (has_more) begin
                    store <= is_enough ? stock - COST : stock;
                    if (is_enough) vector <= vector + ONE;
                end
            end
        end
    end
endmodule
