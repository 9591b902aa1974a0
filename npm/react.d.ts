import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SystolicPlayground, SystolicPlaygroundAttributes } from './index.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'systolic-playground': DetailedHTMLProps<HTMLAttributes<SystolicPlayground>, SystolicPlayground> & SystolicPlaygroundAttributes;
    }
  }
}
