`timescale 1ns/1ps

// @ROWS@ rows of @COLS@ processing elements.
module @P@array (
    input  logic clk,
    input  logic rst,
    input  logic [@ROWS@*@W@-1:0] west,
    input  logic [@ROWS@-1:0] west_valid,
    input  logic [@COLS@*@W@-1:0] north,
    input  logic [@COLS@-1:0] north_valid,
//% if overlapped
    input  logic [@ROWS@-1:0] west_begins,
//% end
//% if operand
    input  logic [@COLS@-1:0] shift,
//% end
//% if operand overlapped
    input  logic [@COLS@-1:0] first,
//% end
//% if !operand overlapped
    input  logic [@ROWS@-1:0] west_is_last,
//% end
//% if !operand !overlapped
    input  logic clear,
//% end
//% if shifts_sums
    input  logic shift,
//% end
//% if sets_aside
    input  logic [@COLS@-1:0] shift,
    output logic [@COLS@-1:0] release_column,
//% end
//% if in_place overlapped
    output logic [@ROWS@*@COLS@-1:0] complete,
//% end
//% if in_place
    output logic [@ROWS@*@COLS@*32-1:0] sums,
    output logic [@ROWS@*@COLS@-1:0] sums_valid
//% else
    output logic [@COLS@*32-1:0] sums,
    output logic [@COLS@-1:0] sums_valid
//% end
);
    localparam int ROWS = @ROWS@;
    localparam int COLS = @COLS@;

    // Wires between PEs: the wires to the east have one column more than the array, the wires to the south one row more.
    wire [ROWS*(COLS+1)*@W@-1:0] x;
    wire [ROWS*(COLS+1)-1:0] x_valid;
    wire [(ROWS+1)*COLS*@W@-1:0] y;
    wire [(ROWS+1)*COLS-1:0] y_valid;
//% if overlapped
    wire [ROWS*(COLS+1)-1:0] x_begins;
//% end
//% if !operand overlapped
    wire [ROWS*(COLS+1)-1:0] x_is_last;
//% end
//% if operand overlapped
    wire [(ROWS+1)*COLS-1:0] y_is_new;
//% end
//% if flows
    wire [(ROWS+1)*COLS*32-1:0] s;
    wire [(ROWS+1)*COLS-1:0] s_valid;
//% end

    generate
        for (genvar i = 0; i < ROWS; i = i + 1) begin : g_west
            assign x[i*(COLS+1)*@W@ +: @W@] = west[i*@W@ +: @W@];
            assign x_valid[i*(COLS+1)] = west_valid[i];
//% if overlapped
            assign x_begins[i*(COLS+1)] = west_begins[i];
//% end
//% if !operand overlapped
            assign x_is_last[i*(COLS+1)] = west_is_last[i];
//% end
        end
    endgenerate
    assign y[COLS*@W@-1:0] = north;
    assign y_valid[COLS-1:0] = north_valid;
//% if operand overlapped
    assign y_is_new[COLS-1:0] = '1;
//% end
//% if flows
    assign s[COLS*32-1:0] = '0;
    assign s_valid[COLS-1:0] = '0;
//% end

    generate
        for (genvar i = 0; i < ROWS; i = i + 1) begin : row
            for (genvar j = 0; j < COLS; j = j + 1) begin : col
                @P@pe
//% if two
                #(
                    .IS_LAST_ROW(i == ROWS - 1)
                )
//% end
                pe (
                    .clk(clk),
                    .rst(rst),
                    .west(x[(i*(COLS+1)+j@SKIP@)*@W@ +: @W@]),
                    .west_valid(x_valid[i*(COLS+1)+j@SKIP@]),
                    .north(y[(i*COLS+j)*@W@ +: @W@]),
                    .north_valid(y_valid[i*COLS+j]),
//% if overlapped
                    .west_begins(x_begins[i*(COLS+1)+j]),
                    .to_east_begins(x_begins[i*(COLS+1)+j+1]),
//% end
//% if operand
                    .shift(shift[j]),
                    .north_sum(s[(i*COLS+j)*32 +: 32]),
                    .north_sum_valid(s_valid[i*COLS+j]),
                    .to_south_sum(s[((i+1)*COLS+j)*32 +: 32]),
                    .to_south_sum_valid(s_valid[(i+1)*COLS+j]),
//% end
//% if operand overlapped
                    .first(first[j]),
                    .north_is_new(y_is_new[i*COLS+j]),
                    .to_south_is_new(y_is_new[(i+1)*COLS+j]),
//% end
//% if !operand overlapped
                    .west_is_last(x_is_last[i*(COLS+1)+j]),
                    .to_east_is_last(x_is_last[i*(COLS+1)+j+1]),
//% end
//% if !operand !overlapped
                    .clear(clear),
//% end
//% if shifts_sums
                    .shift(shift),
                    .north_sum(s[(i*COLS+j)*32 +: 32]),
                    .north_sum_valid(s_valid[i*COLS+j]),
                    .result(s[((i+1)*COLS+j)*32 +: 32]),
                    .result_valid(s_valid[(i+1)*COLS+j]),
//% end
//% if sets_aside
                    .shift(shift[j]),
                    .release_column(release_column[j]),
                    .north_drained(s[(i*COLS+j)*32 +: 32]),
                    .north_drained_valid(s_valid[i*COLS+j]),
                    .to_south_drained(s[((i+1)*COLS+j)*32 +: 32]),
                    .to_south_drained_valid(s_valid[(i+1)*COLS+j]),
//% end
//% if in_place
                    .result(sums[(i*COLS+j)*32 +: 32]),
                    .result_valid(sums_valid[i*COLS+j]),
//% end
                    .to_east(x[(i*(COLS+1)+j+1)*@W@ +: @W@]),
                    .to_east_valid(x_valid[i*(COLS+1)+j+1]),
                    .to_south(y[((i+1)*COLS+j)*@W@ +: @W@]),
                    .to_south_valid(y_valid[(i+1)*COLS+j])
                );
//% if in_place overlapped
                assign complete[i*COLS+j] = x_is_last[i*(COLS+1)+j+1];
//% end
            end
        end
    endgenerate

//% if flows
    assign sums = s[ROWS*COLS*32 +: COLS*32];
    assign sums_valid = s_valid[ROWS*COLS +: COLS];
//% end
//% if sets_aside
    generate
        for (genvar j = 0; j < COLS; j = j + 1) begin : g_release
            assign release_column[j] = x_is_last[(ROWS-1)*(COLS+1)+j+1];
        end
    endgenerate
//% end
    // Nothing reads the east outputs of the last column and the south outputs of the last row.
    wire unused = &{1'b0, x, x_valid, y, y_valid
//% if overlapped
        , x_begins
//% end
//% if !operand overlapped
        , x_is_last
//% end
//% if operand overlapped
        , y_is_new
//% end
        };
endmodule
