//% if product

    always_ff @(posedge clk) begin
        if (rst) begin
            product <= '0;
            product_valid <= 1'b0;
        end else begin
            product <= multiplied;
            product_valid <= is_multiplied;
        end
    end
//% end
