/** Loads the code of the offline storage and send queue, for the pages that work without a network. */
export const offlineCode = () => import('./offline-instance.ts');
