`timescale 1ns/1ps

// Runs @TITLE@ to the end and compares C with the matmul by definition
//% if registers
// and every register of every PE at every clock edge with the model.
//% else
// only. The run is too long for a file of its registers.
//% end
//
//     $ iverilog -g2012 -s @P@tb -o run *.sv && vvp run
//     $ verilator --binary --timing --trace -Wall --top-module @P@tb *.sv && obj_dir/V@P@tb
//
// With +@P@vcd it writes @P@simulated.vcd. There, the registers of the PEs have the names and times of @P@model.vcd.
// Reasons for lint_off: an index has more bits than a small array needs, and no dataflow uses every length.
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off UNUSEDPARAM
module @P@tb;
    localparam int CYCLES = @CYCLES@;
    localparam int ROWS = @ROWS@;
    localparam int COLS = @COLS@;
    localparam int ROW_FOLDS = @ROW_FOLDS@;
    localparam int COL_FOLDS = @COL_FOLDS@;
    localparam int STREAM = @STREAM@;
    localparam int M = @M@;
    localparam int N = @N@;
//% if operand
    localparam int LAST_COLS = @LAST_COLS@;
//% end
//% if in_place
    localparam int LANES = ROWS * COLS;
//% else
    localparam int LANES = COLS;
//% end

    logic clk;
    logic rst;
    wire [LANES*32-1:0] sums;
    wire [LANES-1:0] sums_valid;
//% if in_place
    wire [LANES-1:0] complete;
//% end
//% if south
    wire [LANES-1:0] leaves;
//% end
    @P@top dut (
        .clk(clk),
        .rst(rst),
//% if in_place
        .complete(complete),
//% end
//% if south
        .leaves(leaves),
//% end
        .sums(sums),
        .sums_valid(sums_valid)
    );

    int errors;
    int cycle;

    // The accumulators outside the array. Each lane tracks the fold of its next sum, and the index of this sum in it.
    logic [31:0] c [0:M*N-1];
    logic [31:0] expected_c [0:M*N-1];
    int row_fold [0:LANES-1];
    int col_fold [0:LANES-1];
    int taken [0:LANES-1];

    task automatic next_fold(input int lane);
//% if rows_first
        if (row_fold[lane] + 1 < ROW_FOLDS) row_fold[lane] = row_fold[lane] + 1;
        else begin
            row_fold[lane] = 0;
            col_fold[lane] = col_fold[lane] + 1;
        end
//% else
        if (col_fold[lane] + 1 < COL_FOLDS) col_fold[lane] = col_fold[lane] + 1;
        else begin
            col_fold[lane] = 0;
            row_fold[lane] = row_fold[lane] + 1;
        end
//% end
    endtask

    task automatic put(input int row, input int col, input logic [31:0] sum, input logic adds);
        if (row < M && col < N) c[row*N + col] = adds ? c[row*N + col] + sum : sum;
    endtask

    task automatic take(input int lane);
        int row;
        int col;
//% if operand
        col = col_fold[lane] * COLS + lane;
        row = taken[lane];
//% if is
        put(col, row, sums[lane*32 +: 32], row_fold[lane] > 0);
//% else
        put(row, col, sums[lane*32 +: 32], row_fold[lane] > 0);
//% end
        taken[lane] = taken[lane] + 1;
        if (taken[lane] == STREAM) begin
            taken[lane] = 0;
            next_fold(lane);
            // A column that the last fold does not use waits for the next fold.
            while (col_fold[lane] == COL_FOLDS - 1 && lane >= LAST_COLS && row_fold[lane] < ROW_FOLDS) next_fold(lane);
        end
//% end
//% if in_place
        row = row_fold[lane] * ROWS + lane / COLS;
        col = col_fold[lane] * COLS + lane % COLS;
        if (sums_valid[lane]) put(row, col, sums[lane*32 +: 32], 1'b0);
        next_fold(lane);
//% end
//% if south
        row = row_fold[lane] * ROWS + ROWS - 1 - taken[lane];
        col = col_fold[lane] * COLS + lane;
        if (sums_valid[lane]) put(row, col, sums[lane*32 +: 32], 1'b0);
        taken[lane] = taken[lane] + 1;
        if (taken[lane] == ROWS) begin
            taken[lane] = 0;
            next_fold(lane);
        end
//% end
    endtask
//% if registers

    // All registers of a PE side by side, each behind its valid bit.
    logic [@PE_BITS@-1:0] expected [0:CYCLES*ROWS*COLS-1];
    wire [ROWS*COLS*@PE_BITS@-1:0] found;
    generate
        for (genvar i = 0; i < ROWS; i = i + 1) begin : row
            for (genvar j = 0; j < COLS; j = j + 1) begin : col
                assign found[(i*COLS+j)*@PE_BITS@ +: @PE_BITS@] = {
@FIELDS@
                };
            end
        end
    endgenerate

    task automatic check_registers;
        for (int pe = 0; pe < ROWS * COLS; pe = pe + 1) begin
            if (found[pe*@PE_BITS@ +: @PE_BITS@] !== expected[cycle*ROWS*COLS + pe]) begin
                errors = errors + 1;
                if (errors <= 10)
                    $display("cycle %0d, PE %0d.%0d: %h, but %h is expected", cycle, pe / COLS, pe % COLS,
                        found[pe*@PE_BITS@ +: @PE_BITS@], expected[cycle*ROWS*COLS + pe]);
            end
        end
    endtask
//% end

    initial begin
        $readmemh("@P@c.hex", expected_c);
//% if registers
        $readmemh("@P@registers.hex", expected);
//% end
        errors = 0;
        for (int lane = 0; lane < LANES; lane = lane + 1) begin
            row_fold[lane] = 0;
            col_fold[lane] = 0;
            taken[lane] = 0;
        end
        for (int at = 0; at < M * N; at = at + 1) c[at] = 32'd0;
        rst = 1'b1;
        clk = 1'b0;
        #5 clk = 1'b1;
        #5 clk = 1'b0;
        rst = 1'b0;
        if ($test$plusargs("@P@vcd")) begin
            $dumpfile("@P@simulated.vcd");
            $dumpvars(0, @P@tb);
        end
        // The state after clock edge t is the state of cycle t.
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            #5;
//% if south
            for (int lane = 0; lane < LANES; lane = lane + 1) if (leaves[lane]) take(lane);
//% end
            clk = 1'b1;
            #5 clk = 1'b0;
//% if registers
            check_registers;
//% end
//% if in_place
            for (int lane = 0; lane < LANES; lane = lane + 1) if (complete[lane]) take(lane);
//% end
//% if operand
            for (int lane = 0; lane < LANES; lane = lane + 1) if (sums_valid[lane]) take(lane);
//% end
        end
        for (int at = 0; at < M * N; at = at + 1) begin
            if (c[at] !== expected_c[at]) begin
                errors = errors + 1;
                if (errors <= 10)
                    $display("C, row %0d, column %0d: %0d, but %0d is expected", at / N, at % N, $signed(c[at]),
                        $signed(expected_c[at]));
            end
        end
        if (errors == 0) $display("PASS: %0d cycles, @COMPARED@ registers, %0d results", CYCLES, M * N);
        else $display("FAIL: %0d differences", errors);
        // Several testbenches in one build finish together.
        if (!$test$plusargs("together")) $finish;
    end
endmodule
