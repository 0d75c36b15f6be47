import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useFocusBack } from '../frame/focus-back.ts';
import { DropCurtain } from './drop-curtain.tsx';
import { openInjection, useInjection } from './injection.ts';
import { isUnderway } from './make-queue.ts';
import { useUploads } from './upload-state.ts';

const InjectionDrawer = lazy(async () => ({ default: (await import('./injection-drawer.tsx')).InjectionDrawer }));
const UploadTray = lazy(async () => ({ default: (await import('./upload-tray.tsx')).UploadTray }));

/** The upload form, the tray with running uploads, and dropping files anywhere on the session list. */
export function UploadCenter() {
  const may = useMay();
  const { pathname } = useLocation();
  const isOpen = useInjection((state) => state.isOpen);
  const [wasOpen, setWasOpen] = useState(false);
  useFocusBack(isOpen);
  const hasUploads = useUploads(
    ({ items, interrupted, fetches }) => items.length + interrupted.length + fetches.length > 0,
  );
  const isBusy = useUploads(({ items }) => items.some((item) => isUnderway(item) && item.state !== 'paused'));
  useEffect(() => {
    if (isOpen) setWasOpen(true);
  }, [isOpen]);
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);
  if (!may('sessions.inject')) return null;
  return (
    <Suspense>
      {pathname.startsWith('/workflows') && <DropCurtain onDrop={openInjection} />}
      {(isOpen || wasOpen) && <InjectionDrawer />}
      {hasUploads && <UploadTray />}
    </Suspense>
  );
}
