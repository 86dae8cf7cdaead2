import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router-dom';
import { SessionProvider } from '../features/session/session-provider.tsx';
import { queryClient } from '../lib/trpc/query-client.ts';
import { ToastHost } from '../ui/feedback/toast-host.tsx';
import { EndUploads } from './end-uploads.tsx';
import { ForgetCopies, forgetCopies } from './offline/forget-copies.tsx';
import { AppRoutes } from './routes.tsx';

/** The providers around the routes, outermost first. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <SessionProvider forgetCopies={forgetCopies}>
          <ForgetCopies />
          <EndUploads />
          <AppRoutes />
        </SessionProvider>
      </BrowserRouter>
      <ToastHost />
    </QueryClientProvider>
  );
}
