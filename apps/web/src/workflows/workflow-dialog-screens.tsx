import { workflowRoutes } from '@pdf2press/contract/calls';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { Screen, type ScreenState, stateOf } from '../frame/screen.tsx';
import { CopyDialog, NewDialog } from './name-dialogs.tsx';
import { workflowPath } from './workflow-acts.ts';

const refused: ScreenState = { kind: 'noPermission', permission: 'workflows.create' };

/** The dialog of the list, at an address of its own. */
export function NewWorkflow() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayMake = useMay()('workflows.create');
  return (
    <Screen
      title={t('workflows.new')}
      back={{ to: '/workflows', label: t('workflows.back') }}
      state={mayMake ? { kind: 'ready' } : refused}
    >
      <NewDialog onClose={() => void navigate('/workflows', { replace: true })} />
    </Screen>
  );
}

/** The dialog that copies a workflow, at an address of its own. */
export function CopyOfWorkflow({ id }: { id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayMake = useMay()('workflows.create');
  const query = useCall(workflowRoutes.get, { params: { id } });
  return (
    <Screen
      title={query.data?.name ?? t('nav.workflows')}
      back={{ to: workflowPath(id), label: t('workflows.back') }}
      state={mayMake ? stateOf(query) : refused}
    >
      {query.data && (
        <CopyDialog workflow={query.data} onClose={() => void navigate('/workflows', { replace: true })} />
      )}
    </Screen>
  );
}
