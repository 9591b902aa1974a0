//% if two

    // The second register of the hop to the south. The last row does not have this register.
    generate
        if (IS_LAST_ROW) begin : g_last_row
            assign passing = '0;
            assign passing_valid = 1'b0;
            wire unused = &{1'b0, passing, passing_valid};
            assign @SOUTH@ = @PASSED@;
            assign @SOUTH@_valid = @PASSED@_valid;
        end else begin : g_other_row
            always_ff @(posedge clk) begin
                if (rst) begin
                    passing <= '0;
                    passing_valid <= 1'b0;
                end else begin
                    passing <= @PASSED@;
                    passing_valid <= @PASSED@_valid;
                end
            end
            assign @SOUTH@ = passing;
            assign @SOUTH@_valid = passing_valid;
        end
    endgenerate
//% else

    assign @SOUTH@ = @PASSED@;
    assign @SOUTH@_valid = @PASSED@_valid;
//% end
