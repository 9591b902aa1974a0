// On a server, the import defines nothing and fails nowhere.
import { SystolicPlayground } from 'systolic-playground';
if (typeof SystolicPlayground !== 'function') throw new Error('no class');
