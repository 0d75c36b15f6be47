import { ActionIcon, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { inFlow } from './layout-graph.ts';
import { StepConnections } from './step-connections.tsx';
import { StepIcon } from './step-icon.tsx';
import { listOf } from './step-list-order.ts';
import { canSwap } from './workflow-edit.ts';

/**
 * The same workflow as an ordered list, to be edited there: on a phone, and by whoever hears the page. A step behind one of
 * several ways stands indented.
 */
export function ListView() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const draft = useDraft();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const issues = useBuilt((state) => state.issues);
  const order = useMemo(() => listOf(inFlow(draft), draft.edges), [draft]);
  const add = (event: { currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const last = order.at(-1)?.step;
    builder.pick({
      for: 'step',
      place: { kind: 'at', position: last ? { x: last.position.x + 300, y: last.position.y } : { x: 0, y: 0 } },
      at: { x: Math.min(box.left, window.innerWidth - 340), y: box.top - 360 > 0 ? box.top - 360 : box.bottom },
    });
  };
  return (
    <div className={classes.list}>
      <ol aria-label={t('builder.listOf')}>
        {order.map(({ step, depth }, at) => {
          const own = issues.filter(({ stepId }) => stepId === step.id);
          const [above, under] = [order[at - 1]?.step, order[at + 1]?.step];
          const title = words.title(step);
          return (
            <li key={step.id} className="card" style={{ marginInlineStart: `${depth * 20}px` }}>
              <div className={classes.listHead}>
                <UnstyledButton className={classes.listStep} onClick={() => builder.openStep(step.id)}>
                  <StepIcon kind={step.kind} />
                  <span>
                    <b>{title}</b>
                    <small>{t('workflows.stepOf', { number: at + 1, count: order.length })}</small>
                  </span>
                </UnstyledButton>
                {!isReadOnly && (
                  <Group gap={0} wrap="nowrap">
                    <ActionIcon
                      variant="subtle"
                      color="neutral"
                      aria-label={t('builder.moveUp', { step: title })}
                      disabled={!above || !canSwap(step, above)}
                      onClick={() => above && builder.swap(step.id, above.id)}
                    >
                      <IconArrowUp size={18} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="neutral"
                      aria-label={t('builder.moveDown', { step: title })}
                      disabled={!under || !canSwap(step, under)}
                      onClick={() => under && builder.swap(step.id, under.id)}
                    >
                      <IconArrowDown size={18} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="error"
                      aria-label={t('builder.removeStep', { step: title })}
                      onClick={() => builder.remove([step.id])}
                    >
                      <IconTrash size={18} aria-hidden />
                    </ActionIcon>
                  </Group>
                )}
              </div>
              {own.map((issue) => (
                <Text key={`${issue.code} ${issue.field}`} size="sm" className={classes.listIssue}>
                  <IconAlertTriangle size={15} aria-hidden /> {words.toldOf(issue, step.kind)}
                </Text>
              ))}
              <StepConnections step={step} isReadOnly={isReadOnly} />
            </li>
          );
        })}
      </ol>
      {!isReadOnly && (
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t('builder.addStep')}
        </Button>
      )}
    </div>
  );
}
