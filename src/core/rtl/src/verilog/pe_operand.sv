`timescale 1ns/1ps

// A processing element that holds an operand (@DATAFLOW@) and passes sums south.
//
// An empty register holds zero, and its valid bit is 0. The first term of a sum therefore needs no special case.
module @P@pe
//% if two
#(
    parameter bit IS_LAST_ROW = 1'b0
)
//% end
(
    input  logic clk,
    input  logic rst,
    // From the west: the streamed operand.
    input  logic signed [@WM@:0] west,
    input  logic west_valid,
    // From the north: the operand that is shifted in, and the sum so far.
    input  logic signed [@WM@:0] north,
    input  logic north_valid,
    input  logic shift,
//% if overlapped
    input  logic first,
    input  logic north_is_new,
    input  logic west_begins,
//% end
    input  logic signed [31:0] north_sum,
    input  logic north_sum_valid,
    // To the east and to the south.
    output logic signed [@WM@:0] to_east,
    output logic to_east_valid,
    output logic signed [@WM@:0] to_south,
    output logic to_south_valid,
//% if overlapped
    output logic to_south_is_new,
    output logic to_east_begins,
//% end
    output logic signed [31:0] to_south_sum,
    output logic to_south_sum_valid
);
    logic signed [@WM@:0] held;
    logic held_valid;
//% if overlapped
    logic signed [@WM@:0] shadow;
    logic shadow_valid;
    logic is_new;
    logic begins;
//% end
    logic signed [@WM@:0] east;
    logic east_valid;
//% if product
    logic signed [@PM@:0] product;
    logic product_valid;
//% end
    logic signed [31:0] sum;
    logic sum_valid;
//% if two
    logic signed [31:0] passing;
    logic passing_valid;
//% end

    // The stationary operand after this clock edge. The PE multiplies with this operand at the same edge.
    wire signed [@WM@:0] held_next;
    wire held_valid_next;
//% if overlapped
    assign held_next = west_begins ? shadow : held;
    assign held_valid_next = west_begins ? shadow_valid : held_valid;

    // The chain of shadow registers shifts only down to the rows that the new fold has reached.
    wire was_new = is_new && !first;
    wire shifts = shift && north_is_new;
//% else
    assign held_next = shift ? north : held;
    assign held_valid_next = shift ? north_valid : held_valid;
//% end

//% use multiply

    always_ff @(posedge clk) begin
        if (rst) begin
            held <= '0;
            held_valid <= 1'b0;
            east <= '0;
            east_valid <= 1'b0;
            sum <= '0;
            sum_valid <= 1'b0;
        end else begin
            held <= held_next;
            held_valid <= held_valid_next;
            east <= west;
            east_valid <= west_valid;
            sum <= north_sum + term;
            sum_valid <= north_sum_valid || has_term;
        end
    end
//% if overlapped

    always_ff @(posedge clk) begin
        if (rst) begin
            shadow <= '0;
            shadow_valid <= 1'b0;
            is_new <= 1'b0;
            begins <= 1'b0;
        end else begin
            if (shifts) begin
                shadow <= north;
                shadow_valid <= north_valid;
            end
            is_new <= was_new || shifts;
            begins <= west_begins;
        end
    end
//% end
//% use product
//% use hop_south

    assign to_east = east;
    assign to_east_valid = east_valid;
//% if overlapped
    assign to_south = shadow;
    assign to_south_valid = shadow_valid;
    assign to_south_is_new = was_new;
    assign to_east_begins = begins;
//% else
    assign to_south = held;
    assign to_south_valid = held_valid;
//% end
endmodule
