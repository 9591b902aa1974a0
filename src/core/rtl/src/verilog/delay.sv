`timescale 1ns/1ps

// A chain of registers: an input leaves the chain DEPTH clock edges later.
module @P@delay #(
    parameter int WIDTH = 1,
    parameter int DEPTH = 1
) (
    input  logic clk,
    input  logic rst,
    input  logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] out
);
    generate
        if (DEPTH == 0) begin : g_wire
            wire unused = &{1'b0, clk, rst};
            assign out = in;
        end else begin : g_chain
            logic [WIDTH*DEPTH-1:0] stages;
            wire [WIDTH*(DEPTH+1)-1:0] line = {stages, in};
            always_ff @(posedge clk) begin
                if (rst) stages <= '0;
                else stages <= line[WIDTH*DEPTH-1:0];
            end
            assign out = line[WIDTH*(DEPTH+1)-1 -: WIDTH];
        end
    endgenerate
endmodule
