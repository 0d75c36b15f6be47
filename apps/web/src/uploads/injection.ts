import { create } from 'zustand';

/** Whether the upload form is open, and its initial files. */
export const useInjection = create<{ isOpen: boolean; dropped: readonly File[]; workflowId: string | null }>(() => ({
  isOpen: false,
  dropped: [],
  workflowId: null,
}));

export const openInjection = (dropped: readonly File[] = [], workflowId: string | null = null): void =>
  useInjection.setState({ isOpen: true, dropped, workflowId });
export const closeInjection = (): void => useInjection.setState({ isOpen: false, dropped: [] });
