import { del, get, set } from 'idb-keyval';
import { useEffect, useState } from 'react';
import { type Builder, type Edited, useBuilt } from './builder-store.ts';
import { isSame } from './workflow-differences.ts';

/** What was edited on this device and not saved, with the revision it was begun on. */
export interface LocalDraft {
  edited: Edited;
  revision: number;
  /** ISO 8601. */
  at: string;
}

/** How often it is written while something is unsaved. */
const intervalMilliseconds = 2000;

const keyOf = (workflowId: string) => `pdf2press-draft-${workflowId}`;

// The browser may forbid its database, in a private window for instance: then there is no copy, and all else works.
const guarded = <T>(act: Promise<T>, fallback: T): Promise<T> => act.catch(() => fallback);

export const forgetLocalDraft = (workflowId: string): Promise<void> => guarded(del(keyOf(workflowId)), undefined);

/** Keeps a copy of unsaved work on this device, every two seconds while it changes. */
export function useKeepingLocally(builder: Builder, isDirty: boolean): void {
  const workflowId = useBuilt((state) => state.workflowId);
  useEffect(() => {
    if (!isDirty) return;
    let kept: Edited | null = null;
    const keep = () => {
      const { history, revision } = builder.store.getState();
      if (history.present === kept) return;
      kept = history.present;
      const draft: LocalDraft = { edited: kept, revision, at: new Date().toISOString() };
      void guarded(set(keyOf(workflowId), draft), undefined);
    };
    const timer = setInterval(keep, intervalMilliseconds);
    // A page that is left in between would lose up to two seconds.
    window.addEventListener('pagehide', keep);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pagehide', keep);
    };
  }, [builder, isDirty, workflowId]);
}

/** Unsaved work of an earlier visit, where there is any that differs from what the server has. */
export function useLocalDraft(workflowId: string, saved: Edited): [LocalDraft | null, () => void] {
  const [draft, setDraft] = useState<LocalDraft | null>(null);
  useEffect(() => {
    let isGone = false;
    void guarded(get<LocalDraft>(keyOf(workflowId)), undefined).then((found) => {
      if (isGone || !found) return;
      if (isSame(saved, found.edited)) void forgetLocalDraft(workflowId);
      else setDraft(found);
    });
    return () => {
      isGone = true;
    };
    // Asked once, when the workflow is opened: what is kept later is this visit's own.
  }, [workflowId]);
  return [draft, () => setDraft(null)];
}
