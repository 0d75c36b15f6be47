import type { WorkflowIssue, WorkflowStep } from '@pdf2press/contract';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { type Builder, useBuilder, useBuilt } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { edgesFrom, issuesByStep, stepsById } from './graph-index.ts';
import { useProfileNames } from './profile-names.ts';
import { StepIcon } from './step-icon.tsx';
import { isEntered, portsOf } from './step-kinds.ts';
import { sizeOf } from './step-places.ts';

/** The canvas keeps where a node stands; what it shows is read from the builder by its id. */
export type StepNodeType = Node<Record<string, never>, 'step'>;

const none: readonly WorkflowIssue[] = [];

/** Drawn again when its own step, its own issues or its own connections change, and at no other time. */
export const StepNode = memo(function StepNode({ id, selected, dragging }: NodeProps<StepNodeType>) {
  const builder = useBuilder();
  const step = useBuilt((state) => stepsById(state.flow.steps).get(id));
  // One text that changes with the ports that are taken: a list would be another with every change elsewhere.
  const taken = useBuilt((state) =>
    (edgesFrom(state.flow.edges).get(id) ?? []).map(({ outcome }) => outcome).join('\n'),
  );
  const issues = useBuilt((state) => issuesByStep(state.issues).get(id) ?? none);
  const refusal = useBuilt((state) => state.drawing?.refusals.get(id) ?? null);
  const isDrawing = useBuilt((state) => state.drawing !== null);
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  if (!step) return null;
  return (
    <StepFace
      step={step}
      taken={taken}
      issues={issues}
      isDimmed={refusal !== null}
      isTarget={isDrawing && refusal === null}
      isReadOnly={isReadOnly}
      isChosen={selected === true}
      isDragged={dragging === true}
      builder={builder}
    />
  );
});

interface FaceProps {
  step: WorkflowStep;
  taken: string;
  issues: readonly WorkflowIssue[];
  isDimmed: boolean;
  isTarget: boolean;
  isReadOnly: boolean;
  isChosen: boolean;
  isDragged: boolean;
  builder: Builder;
}

const StepFace = memo(function StepFace({
  step,
  taken,
  issues,
  isDimmed,
  isTarget,
  isReadOnly,
  isChosen,
  isDragged,
  builder,
}: FaceProps) {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const profileName = useProfileNames()(step.settings.profileId);
  const ports = portsOf(step);
  const takenPorts = new Set(taken.split('\n'));
  const { height } = sizeOf(step);
  const [issue] = issues;
  return (
    <div
      className={classes.node}
      style={{ blockSize: height }}
      data-issue={issue ? true : undefined}
      data-dim={isDimmed || undefined}
      data-target={isTarget || undefined}
      data-chosen={isChosen || undefined}
      data-dragged={isDragged || undefined}
    >
      {isEntered(step.kind) && (
        <Handle type="target" position={Position.Left} className={classes.handle} isConnectableStart={false} />
      )}
      <StepIcon kind={step.kind} />
      <span className={classes.nodeText}>
        <b>{words.title(step)}</b>
        {issue ? (
          <small data-tone="error">{words.toldOf(issue, step.kind)}</small>
        ) : (
          <small>{profileName ?? (step.name ? words.kind(step.kind) : '')}</small>
        )}
      </span>
      {issues.length > 0 && (
        <span className={classes.badge} title={issues.map(words.issue).join('\n')}>
          <IconAlertTriangle size={13} aria-hidden />
          {issues.length > 1 && issues.length}
        </span>
      )}
      {ports.map((outcome, at) => {
        const isOpen = !takenPorts.has(outcome);
        const name = words.port(step, outcome);
        return (
          <Handle
            key={outcome}
            id={outcome}
            type="source"
            position={Position.Right}
            className={classes.handle}
            data-open={isOpen || undefined}
            isConnectableEnd={false}
            style={{ insetBlockStart: `${((at + 1) * 100) / (ports.length + 1)}%` }}
          >
            {ports.length > 1 && <span className={classes.port}>{name}</span>}
            {isOpen && !isReadOnly && (
              <button
                type="button"
                tabIndex={-1}
                className={`nodrag nopan ${classes.plus}`}
                data-beyond={ports.length > 1 || undefined}
                aria-label={t('builder.addAfter', { step: words.title(step), outcome: name })}
                // The port lies beneath: a press on the button draws no connection.
                onMouseDown={(event) => event.stopPropagation()}
                onTouchStart={(event) => event.stopPropagation()}
                onClick={(event) => {
                  event.stopPropagation();
                  const box = event.currentTarget.getBoundingClientRect();
                  builder.pick({
                    for: 'step',
                    place: { kind: 'after', from: step.id, outcome },
                    at: { x: box.right, y: box.top },
                  });
                }}
              >
                <IconPlus size={14} stroke={2.4} aria-hidden />
              </button>
            )}
          </Handle>
        );
      })}
    </div>
  );
});
