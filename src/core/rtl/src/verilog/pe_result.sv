`timescale 1ns/1ps

// A processing element that holds its sum (@DATAFLOW@) and passes both operands on.
//
// An empty register holds zero, and its valid bit is 0.
module @P@pe
//% if two
#(
    parameter bit IS_LAST_ROW = 1'b0
)
//% end
(
    input  logic clk,
    input  logic rst,
    input  logic signed [@WM@:0] west,
    input  logic west_valid,
    input  logic signed [@WM@:0] north,
    input  logic north_valid,
//% if overlapped
    // When these marks arrive, one fold ends and the next fold begins.
    input  logic west_begins,
    input  logic west_is_last,
//% else
    input  logic clear,
//% end
//% if shifts_sums
    input  logic shift,
    input  logic signed [31:0] north_sum,
    input  logic north_sum_valid,
//% end
//% if sets_aside
    // The buffered sums of a column shift south, but wait until the last row has buffered its sum.
    input  logic shift,
    input  logic release_column,
    input  logic signed [31:0] north_drained,
    input  logic north_drained_valid,
    output logic signed [31:0] to_south_drained,
    output logic to_south_drained_valid,
//% end
//% if overlapped
    output logic to_east_begins,
    output logic to_east_is_last,
//% end
    output logic signed [@WM@:0] to_east,
    output logic to_east_valid,
    output logic signed [@WM@:0] to_south,
//% if sets_aside
    output logic to_south_valid
//% else
    output logic to_south_valid,
    output logic signed [31:0] result,
    output logic result_valid
//% end
);
    logic signed [@WM@:0] east;
    logic east_valid;
    logic signed [@WM@:0] south;
    logic south_valid;
//% if product
    logic signed [@PM@:0] product;
    logic product_valid;
//% end
    logic signed [31:0] sum;
    logic sum_valid;
//% if two
    logic signed [@WM@:0] passing;
    logic passing_valid;
//% end
//% if overlapped
    logic begins;
    logic is_last;
//% end
//% if sets_aside
    logic signed [31:0] drained;
    logic drained_valid;
    logic waiting;
//% end

//% use multiply

//% if sets_aside
    // A sum moves to the output buffer one clock edge after its last term.
    wire restarts = west_begins || is_last;
//% end
//% if overlapped !sets_aside
    wire restarts = west_begins;
//% end
//% if !overlapped
    wire restarts = clear;
//% end
    wire signed [31:0] so_far = restarts ? '0 : sum;
    wire has_so_far = sum_valid && !restarts;

    always_ff @(posedge clk) begin
        if (rst) begin
            east <= '0;
            east_valid <= 1'b0;
            south <= '0;
            south_valid <= 1'b0;
            sum <= '0;
            sum_valid <= 1'b0;
        end else begin
            east <= west;
            east_valid <= west_valid;
            south <= north;
            south_valid <= north_valid;
//% if shifts_sums
            sum <= shift ? north_sum : so_far + term;
            sum_valid <= shift ? north_sum_valid : has_so_far || has_term;
//% else
            sum <= so_far + term;
            sum_valid <= has_so_far || has_term;
//% end
        end
    end
//% use product
//% if overlapped

    always_ff @(posedge clk) begin
        if (rst) begin
            begins <= 1'b0;
            is_last <= 1'b0;
        end else begin
            begins <= west_begins;
            is_last <= west_is_last;
        end
    end
    assign to_east_begins = begins;
    assign to_east_is_last = is_last;
//% end
//% if sets_aside

    always_ff @(posedge clk) begin
        if (rst) begin
            drained <= '0;
            drained_valid <= 1'b0;
            waiting <= 1'b0;
        end else begin
            if (is_last) begin
                drained <= sum;
                drained_valid <= sum_valid;
            end else if (shift && !waiting) begin
                drained <= north_drained;
                drained_valid <= north_drained_valid;
            end
            waiting <= (waiting || is_last) && !release_column;
        end
    end
    assign to_south_drained = waiting ? '0 : drained;
    assign to_south_drained_valid = drained_valid && !waiting;
//% end
//% use hop_south
    assign to_east = east;
    assign to_east_valid = east_valid;
//% if !sets_aside
    assign result = sum;
    assign result_valid = sum_valid;
//% end
endmodule
