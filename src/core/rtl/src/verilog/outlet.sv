`timescale 1ns/1ps

// Shifts the buffered sums of one column south, one row at a time, after the last row has buffered its sum.
module @P@outlet #(
    parameter int BITS = 8,
    parameter bit [BITS-1:0] ROWS = 1,
    parameter bit [BITS-1:0] GAIN = 1,
    parameter bit [BITS-1:0] COST = 1
) (
    input  logic clk,
    input  logic rst,
    input  logic release_column,
    output logic shift
);
    localparam bit [BITS-1:0] ZERO = 0;
    localparam bit [BITS-1:0] ONE = 1;

    logic [BITS-1:0] shifts_left;
    logic [BITS-1:0] store;
    wire [BITS-1:0] stock = store + GAIN;
    wire is_enough = stock >= COST;
    assign shift = shifts_left != ZERO && is_enough;

    always_ff @(posedge clk) begin
        if (rst) begin
            shifts_left <= ZERO;
            store <= ZERO;
        end else if (release_column) begin
            shifts_left <= ROWS;
            store <= ZERO;
        end else if (shifts_left != ZERO) begin
            store <= is_enough ? stock - COST : stock;
            if (is_enough) shifts_left <= shifts_left - ONE;
        end
    end
endmodule
