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
                      <PortAct
                        icon={IconPlus}
                        hint={t('builder.insertHere')}
                        label={t('builder.insert', { name: `${words.title(step)} → ${words.title(to)}` })}
                        act={(at) => builder.pick({ for: 'step', place: { kind: 'on', edgeId: edge.id }, at })}
                      />
                      <PortAct
                        icon={IconUnlink}
                        hint={t('builder.disconnect')}
                        label={t('builder.disconnectFrom', { step: words.title(to), outcome: port })}
                        act={() => builder.disconnect([edge.id])}
                      />
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
                      <PortAct
                        icon={IconPlus}
                        hint={t('builder.addStep')}
                        label={t('builder.addAfter', { step: words.title(step), outcome: port })}
                        act={(at) =>
                          builder.pick({ for: 'step', place: { kind: 'after', from: step.id, outcome }, at })
                        }
                      />
                      <PortAct
                        icon={IconPlugConnected}
                        hint={t('builder.connect')}
                        label={t('builder.connectTo', { step: words.title(step), outcome: port })}
                        act={(at) => builder.pick({ for: 'target', from: step.id, outcome, at })}
                      />
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

interface PortActProps {
  icon: typeof IconPlus;
  hint: string;
  label: string;
  /** @param at where a picker of this button comes up */
  act: (at: Place) => void;
}

function PortAct({ icon: Icon, hint, label, act }: PortActProps) {
  return (
    <Hint label={hint}>
      <ActionIcon
        variant="subtle"
        color="neutral"
        aria-label={label}
        onClick={(event) => act(below(event.currentTarget))}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}

/** Where a picker comes up that a button opens. */
const below = (button: Element): Place => {
  const box = button.getBoundingClientRect();
  return { x: Math.min(box.left, window.innerWidth - 340), y: box.bottom + 4 };
};
