import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ListRows } from '../frame/list-rows.tsx';
import { useOutcomes } from './outcomes.ts';
import classes from './sessions.module.css';
import { levelLooks, StatusIcon } from './status.tsx';

/** Results of a bulk action, one line per session, failures first. */
export function OutcomeList() {
  const { t } = useTranslation();
  const { told } = useOutcomes();
  const sorted = [...(told?.outcomes ?? [])].sort((a, b) => Number(b.problem !== null) - Number(a.problem !== null));
  return (
    <Modal
      opened={told !== null}
      onClose={() => useOutcomes.setState({ told: null })}
      title={told && `${t(`sessions.action.${told.action}`)}: ${t('list.outcomes')}`}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <ListRows>
        {sorted.map(({ session, problem }) => (
          <div key={session.id} className={classes.outcome}>
            <StatusIcon look={problem === null ? levelLooks.Success : levelLooks.Error} size={18} />
            <div>
              <Text fw={550}>{session.fileName}</Text>
              <Text size="sm" c={problem === null ? 'dimmed' : 'var(--p2p-error)'}>
                {problem ?? t(`sessions.outcome.${told?.action}`)}
              </Text>
            </div>
          </div>
        ))}
      </ListRows>
    </Modal>
  );
}
