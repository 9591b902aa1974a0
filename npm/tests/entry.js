import 'systolic-playground';
import 'systolic-playground/react';
