    wire signed [@PM@:0] x = {{@W@{west[@WM@]}}, west};
    wire signed [@PM@:0] w = {{@W@{@FACTOR@[@WM@]}}, @FACTOR@};
    wire signed [@PM@:0] multiplied = x * w;
    wire is_multiplied = west_valid && @FACTOR_VALID@;
//% if product
    wire signed [31:0] term = {{@PX@{product[@PM@]}}, product};
    wire has_term = product_valid;
//% else
    wire signed [31:0] term = {{@PX@{multiplied[@PM@]}}, multiplied};
    wire has_term = is_multiplied;
//% end
