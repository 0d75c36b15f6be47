import { createContext, useContext } from 'react';

/** A form page shown in a drawer beside another page: saving or closing it stays on that page. */
export interface FormDrawer {
  onSaved: (saved: { id: string }) => void;
  onLeave: () => void;
  /** Whom what is made in it is for; undefined = whom its maker chooses. */
  organizationId?: string | undefined;
}

const Context = createContext<FormDrawer | null>(null);
export const FormDrawerProvider = Context.Provider;

/** The drawer that contains the form; null for a form on a page of its own. */
export const useFormDrawer = (): FormDrawer | null => useContext(Context);
