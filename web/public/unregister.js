// Way out if the app's files in this browser are ever broken: removes the service worker and its caches. Drafts and
// queued commands are in IndexedDB and stay; so does their second copy, the cache `lintel-mirror`.
const say = (text) => {
  document.getElementById('state').textContent = text;
};
try {
  const registrations = await navigator.serviceWorker.getRegistrations();
  for (const registration of registrations) await registration.unregister();
  const names = (await caches.keys()).filter(
    (name) => name.startsWith('lintel-') && name !== 'lintel-mirror',
  );
  for (const name of names) await caches.delete(name);
  say('Done. What you have saved on this device is still here.');
} catch {
  say('This browser keeps nothing of the app.');
}
