/** The code for what a device keeps, for the pages that work without a network. */
export const offlineCode = () => import('./offline-instance.ts');
