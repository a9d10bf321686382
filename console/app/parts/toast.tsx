// Short news of what was done, read out by screen readers; it goes by itself.

import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={TOAST_MS}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title />
      <Toast.Description />
      <Toast.Close aria-label="Close" className="quiet">
        ✕
      </Toast.Close>
    </Toast.Root>
  ));
}

export function useTell(): (title: string, description?: string) => void {
  const { add } = Toast.useToastManager();
  return (title, description) => void add(description === undefined ? { title } : { title, description });
}

const TOAST_MS = 6_000;
