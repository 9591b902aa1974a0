// Lets the browser keep the page for when there is no network: only where it is a page of its own, and not for somebody
// who saves data. The one address that the policy of the page lets a script name is that of the worker.
const worker = 'offline-worker.mjs';
const policy = globalThis.trustedTypes?.createPolicy('offline', { createScriptURL: () => worker });

// A browser that refuses shows the page as ever, with the network.
const keep = () => navigator.serviceWorker.register(policy?.createScriptURL('') ?? worker).catch(() => {});

if (parent === window && playground.keepsFiles && !navigator.connection?.saveData) {
  // What the page itself still fetches comes first.
  document.addEventListener('playground:ready', () => setTimeout(keep, 3000));
}
