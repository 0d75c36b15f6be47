import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { readAction } from '../frame/form-action.ts';
import { Screen } from '../frame/screen.tsx';
import { BuilderScreen } from './builder-screen.tsx';

const NewWorkflow = lazy(async () => ({ default: (await import('./workflow-dialog-screens.tsx')).NewWorkflow }));
const CopyOfWorkflow = lazy(async () => ({ default: (await import('./workflow-dialog-screens.tsx')).CopyOfWorkflow }));
const SessionOnWorkflow = lazy(async () => ({
  default: (await import('./session-on-workflow.tsx')).SessionOnWorkflow,
}));

/** A workflow to draw, to look at, or with the way that a session takes through it. */
export function WorkflowScreen() {
  const { t } = useTranslation();
  const { action, id } = useParams();
  const [search] = useSearchParams();
  const sessionId = search.get('session');
  const known = readAction(action);
  if (known !== 'new' && (!id || !known)) return <Screen title={t('nav.workflows')} state={{ kind: 'notFound' }} />;
  return (
    <Suspense>
      {known === 'new' || !id ? (
        <NewWorkflow />
      ) : known === 'copy' ? (
        <CopyOfWorkflow id={id} />
      ) : sessionId ? (
        <SessionOnWorkflow id={id} sessionId={sessionId} />
      ) : (
        <BuilderScreen id={id} isView={known === 'view'} />
      )}
    </Suspense>
  );
}
