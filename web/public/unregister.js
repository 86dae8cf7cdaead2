// The way out, should what this browser keeps of the app ever be broken: removes the service worker and its caches.
// What people have saved (drafts, checks that wait to be sent) lies elsewhere and stays; so does its second copy.
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
