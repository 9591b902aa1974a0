// The bundle of a plain script loads where there is no page.
require('vm').runInThisContext(require('fs').readFileSync('iife.js', 'utf8'));
