// Where the console begins: what all pages share, and the shell around them.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { mayRecover } from './api/client.ts';
import { RouterProvider } from './router.tsx';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './shell/theme.ts';
import { openWantedPage } from './shell/wanted-page.ts';
import { ToastProvider } from './parts/toast.tsx';
import './style/console.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What an administrator sees should be what is: read again on focus, and while a list is shown.
      staleTime: 2_000,
      retry: (failures, error) => failures < 2 && mayRecover(error),
    },
  },
});

applyTheme();
// Before the router reads the address.
openWantedPage();

const place = document.getElementById('console');
if (place === null) throw new TypeError('Cannot start the console: the page has no place for it');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider>
        <ToastProvider>
          <Shell />
        </ToastProvider>
      </RouterProvider>
    </QueryClientProvider>
  </StrictMode>,
);
