import { ActionIcon, Button, Text } from '@mantine/core';
import type { WorkflowStep } from '@pdf2press/contract';
import { IconPlugConnected, IconPlus, IconUnlink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../frame/hint.tsx';
import classes from './builder.module.css';
import { useBuilder, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { portsOf } from './step-kinds.ts';
import type { Place } from './step-places.ts';

/** Where each port of a step leads, with what can be done about it: the same in the panel and in the list. */
export function StepConnections({ step, isReadOnly }: { step: WorkflowStep; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const draft = useDraft();
  const ports = portsOf(step);
  if (ports.length === 0) return null;
  return (
    <div>
      <Text fw={550} size="sm" mb={4}>
        {t('builder.leadsTo')}
      </Text>
      <ul className={classes.ports}>
        {ports.map((outcome) => {
          const edge = draft.edges.find(({ from, outcome: by }) => from === step.id && by === outcome);
          const to = edge && draft.steps.find(({ id }) => id === edge.to);
          const port = words.port(step, outcome);
          return (
            <li key={outcome}>
              <span className={classes.portName}>{port}</span>
              {edge && to ? (
                <>
                  <Button variant="subtle" size="compact-sm" onClick={() => builder.openStep(to.id)}>
                    {words.title(to)}
                  </Button>
                  {!isReadOnly && (
                    <>
                      <Hint label={t('builder.insertHere')}>
                        <ActionIcon
                          variant="subtle"
                          color="neutral"
                          aria-label={t('builder.insert', { name: `${words.title(step)} → ${words.title(to)}` })}
                          onClick={(event) =>
                            builder.pick({
                              for: 'step',
                              place: { kind: 'on', edgeId: edge.id },
                              at: below(event.currentTarget),
                            })
                          }
                        >
                          <IconPlus size={16} aria-hidden />
                        </ActionIcon>
                      </Hint>
                      <Hint label={t('builder.disconnect')}>
                        <ActionIcon
                          variant="subtle"
                          color="neutral"
                          aria-label={t('builder.disconnectFrom', { step: words.title(to), outcome: port })}
                          onClick={() => builder.disconnect([edge.id])}
                        >
                          <IconUnlink size={16} aria-hidden />
                        </ActionIcon>
                      </Hint>
                    </>
                  )}
                </>
              ) : (
                <>
                  <Text size="sm" c="dimmed">
                    {t('builder.nowhere')}
                  </Text>
                  {!isReadOnly && (
                    <>
                      <Hint label={t('builder.addStep')}>
                        <ActionIcon
                          variant="subtle"
                          color="neutral"
                          aria-label={t('builder.addAfter', { step: words.title(step), outcome: port })}
                          onClick={(event) =>
                            builder.pick({
                              for: 'step',
                              place: { kind: 'after', from: step.id, outcome },
                              at: below(event.currentTarget),
                            })
                          }
                        >
                          <IconPlus size={16} aria-hidden />
                        </ActionIcon>
                      </Hint>
                      <Hint label={t('builder.connect')}>
                        <ActionIcon
                          variant="subtle"
                          color="neutral"
                          aria-label={t('builder.connectTo', { step: words.title(step), outcome: port })}
                          onClick={(event) =>
                            builder.pick({ for: 'target', from: step.id, outcome, at: below(event.currentTarget) })
                          }
                        >
                          <IconPlugConnected size={16} aria-hidden />
                        </ActionIcon>
                      </Hint>
                    </>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Where a picker comes up that a button opens. */
const below = (button: Element): Place => {
  const box = button.getBoundingClientRect();
  return { x: Math.min(box.left, window.innerWidth - 340), y: box.bottom + 4 };
};
