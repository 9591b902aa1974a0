`timescale 1ns/1ps

// @TITLE@: feeders, skew and sequencers around the array.
module @P@top (
    input  logic clk,
    input  logic rst,
//% if in_place
    // Which sums are complete, and the sums of all PEs.
    output logic [@ROWS@*@COLS@-1:0] complete,
    output logic [@ROWS@*@COLS@*32-1:0] sums,
    output logic [@ROWS@*@COLS@-1:0] sums_valid
//% end
//% if south
    // For each column: whether a sum leaves at the next clock edge, and the sum.
    output logic [@COLS@-1:0] leaves,
    output logic [@COLS@*32-1:0] sums,
    output logic [@COLS@-1:0] sums_valid
//% end
//% if operand
    // The sums that reached the last row at the previous clock edge.
    output logic [@COLS@*32-1:0] sums,
    output logic [@COLS@-1:0] sums_valid
//% end
);
    localparam int BITS = @BITS@;
    localparam int ROWS = @ROWS@;
    localparam int COLS = @COLS@;
    localparam int HOP = @HOP@;

    wire stream_begins;
    wire stream_comes;
    wire stream_is_last;
    wire stream_ended;
    wire [BITS-1:0] stream_vector;
    wire [BITS-1:0] stream_row_fold;
    wire [BITS-1:0] stream_col_fold;
    @P@sequencer #(
        .BITS(BITS), .START(@STREAM_START@), .PERIOD(@PERIOD@), .ROW_FOLDS(@ROW_FOLDS@), .COL_FOLDS(@COL_FOLDS@),
        .VECTORS(@STREAM@), .GAIN(@STREAM_GAIN@), .COST(@STREAM_COST@)
    ) stream (
        .clk(clk), .rst(rst), .begins(stream_begins), .comes(stream_comes), .is_last(stream_is_last),
        .ended(stream_ended), .vector(stream_vector), .row_fold(stream_row_fold), .col_fold(stream_col_fold)
    );
    wire unused_stream = &{1'b0, stream_begins, stream_is_last, stream_ended, stream_col_fold};

    wire [ROWS*@W@-1:0] west_port;
    wire [ROWS-1:0] west_port_valid;
    @P@feeder_west #(.BITS(BITS)) feeder_west (
        .comes(stream_comes), .vector(stream_vector), .row_fold(stream_row_fold),
        .values(west_port), .valid(west_port_valid)
    );

    // Row i enters as many clock edges late as the wavefront needs to reach the row.
    wire [ROWS*@W@-1:0] west;
    wire [ROWS-1:0] west_valid;
//% if overlapped
    wire [ROWS-1:0] west_begins;
//% end
//% if overlapped !operand
    wire [ROWS-1:0] west_is_last;
//% end
    generate
        for (genvar i = 0; i < ROWS; i = i + 1) begin : skew_west
            @P@delay #(.WIDTH(1 + @W@), .DEPTH(HOP * i@LATE@)) lane (
                .clk(clk), .rst(rst), .in({west_port_valid[i], west_port[i*@W@ +: @W@]}),
                .out({west_valid[i], west[i*@W@ +: @W@]})
            );
//% if overlapped operand
            @P@delay #(.WIDTH(1), .DEPTH(HOP * i)) mark (
                .clk(clk), .rst(rst), .in(stream_begins), .out(west_begins[i])
            );
//% end
//% if overlapped !operand
            // The marks pass through as many registers as the sums to which they belong.
            @P@delay #(.WIDTH(2), .DEPTH(HOP * i + @BEHIND@)) mark (
                .clk(clk), .rst(rst), .in({stream_begins, stream_is_last}), .out({west_begins[i], west_is_last[i]})
            );
//% end
        end
    endgenerate

    wire [COLS*@W@-1:0] north_port;
    wire [COLS-1:0] north_port_valid;
//% if operand
    wire load_begins;
    wire load_comes;
    wire load_is_last;
    wire load_ended;
    wire [BITS-1:0] load_vector;
    wire [BITS-1:0] load_row_fold;
    wire [BITS-1:0] load_col_fold;
    @P@sequencer #(
        .BITS(BITS), .START(0), .PERIOD(@PERIOD@), .ROW_FOLDS(@ROW_FOLDS@), .COL_FOLDS(@COL_FOLDS@),
        .VECTORS(@ROWS@), .GAIN(@LOAD_GAIN@), .COST(@LOAD_COST@)
    ) loading (
        .clk(clk), .rst(rst), .begins(load_begins), .comes(load_comes), .is_last(load_is_last),
        .ended(load_ended), .vector(load_vector), .row_fold(load_row_fold), .col_fold(load_col_fold)
    );
    wire unused_load = &{1'b0, load_begins, load_is_last, load_ended};
    @P@feeder_north #(.BITS(BITS)) feeder_north (
        .comes(load_comes), .vector(load_vector), .row_fold(load_row_fold), .col_fold(load_col_fold),
        .values(north_port), .valid(north_port_valid)
    );
//% else
    @P@feeder_north #(.BITS(BITS)) feeder_north (
        .comes(stream_comes), .vector(stream_vector), .col_fold(stream_col_fold),
        .values(north_port), .valid(north_port_valid)
    );
//% end

    wire [COLS*@W@-1:0] north;
    wire [COLS-1:0] north_valid;
//% if operand
    wire [COLS-1:0] shift;
//% end
//% if operand overlapped
    wire [COLS-1:0] first;
//% end
//% if skewed_north
    // Column j begins j clock edges late, like the wavefront.
    generate
        for (genvar j = 0; j < COLS; j = j + 1) begin : skew_north
            @P@delay #(.WIDTH(1 + @W@), .DEPTH(j)) lane (
                .clk(clk), .rst(rst), .in({north_port_valid[j], north_port[j*@W@ +: @W@]}),
                .out({north_valid[j], north[j*@W@ +: @W@]})
            );
//% end
//% if skewed_north operand
            @P@delay #(.WIDTH(1), .DEPTH(j)) steer (
                .clk(clk), .rst(rst), .in(load_comes), .out(shift[j])
            );
//% end
//% if skewed_north operand overlapped
            @P@delay #(.WIDTH(1), .DEPTH(j)) mark (
                .clk(clk), .rst(rst), .in(load_begins), .out(first[j])
            );
//% end
//% if skewed_north
        end
    endgenerate
//% else
    assign north = north_port;
    assign north_valid = north_port_valid;
    assign shift = {COLS{load_comes}};
//% end
//% if !skewed_north overlapped
    assign first = {COLS{load_begins}};
//% end
//% if shifts_sums

    wire drain_begins;
    wire drain_comes;
    wire drain_is_last;
    wire drain_ended;
    wire [BITS-1:0] drain_vector;
    wire [BITS-1:0] drain_row_fold;
    wire [BITS-1:0] drain_col_fold;
    @P@sequencer #(
        .BITS(BITS), .START(@DRAIN_START@), .PERIOD(@PERIOD@), .ROW_FOLDS(@ROW_FOLDS@), .COL_FOLDS(@COL_FOLDS@),
        .VECTORS(@ROWS@), .GAIN(@DRAIN_GAIN@), .COST(@DRAIN_COST@)
    ) drain (
        .clk(clk), .rst(rst), .begins(drain_begins), .comes(drain_comes), .is_last(drain_is_last),
        .ended(drain_ended), .vector(drain_vector), .row_fold(drain_row_fold), .col_fold(drain_col_fold)
    );
    wire unused_drain = &{1'b0, drain_begins, drain_is_last, drain_ended, drain_vector, drain_row_fold, drain_col_fold};
    assign leaves = {COLS{drain_comes}};
//% end
//% if sets_aside

    wire [COLS-1:0] release_column;
    generate
        for (genvar j = 0; j < COLS; j = j + 1) begin : outlets
            @P@outlet #(.BITS(BITS), .ROWS(@ROWS@), .GAIN(@DRAIN_GAIN@), .COST(@DRAIN_COST@)) outlet (
                .clk(clk), .rst(rst), .release_column(release_column[j]), .shift(leaves[j])
            );
        end
    endgenerate
//% end
//% if in_place !overlapped
    assign complete = {ROWS*COLS{stream_ended}};
//% end

    @P@array array (
        .clk(clk),
        .rst(rst),
        .west(west),
        .west_valid(west_valid),
        .north(north),
        .north_valid(north_valid),
//% if overlapped
        .west_begins(west_begins),
//% end
//% if operand
        .shift(shift),
//% end
//% if operand overlapped
        .first(first),
//% end
//% if !operand overlapped
        .west_is_last(west_is_last),
//% end
//% if !operand !overlapped
        .clear(stream_begins),
//% end
//% if shifts_sums
        .shift(drain_comes),
//% end
//% if sets_aside
        .shift(leaves),
        .release_column(release_column),
//% end
//% if in_place overlapped
        .complete(complete),
//% end
        .sums(sums),
        .sums_valid(sums_valid)
    );
endmodule
