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
      <Toast.Action className="quiet" />
      <Toast.Close aria-label="Close" className="quiet">
        ✕
      </Toast.Close>
    </Toast.Root>
  ));
}

/** What can be done about the news, such as to undo it. */
export type ToastAction = { readonly label: string; readonly run: () => void };

export function useTell(): (title: string, description?: string, action?: ToastAction) => void {
  const { add, close } = Toast.useToastManager();
  return (title, description, action) => {
    const id = add({
      title,
      ...(description === undefined ? {} : { description }),
      ...(action === undefined
        ? {}
        : {
            timeout: ACTION_MS,
            actionProps: {
              children: action.label,
              onClick: () => {
                close(id);
                action.run();
              },
            },
          }),
    });
  };
}

const TOAST_MS = 6_000;
/** Long enough to read it, think, and reach it. */
const ACTION_MS = 15_000;
