import { useTranslation } from 'react-i18next';
import { type Picker, useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { useKindChoices } from './kind-choices.ts';
import { inFlow } from './layout-graph.ts';
import { OptionPicker, type PickerOption } from './option-picker.tsx';
import { StepIcon } from './step-icon.tsx';
import { groupLabel, isEntered, portsOf, whyNotConnect } from './step-kinds.ts';

/** Whatever is being picked: a step to add, a port to connect from, a step to connect to. */
export function BuilderPickers() {
  const picker = useBuilt((state) => state.picker);
  if (!picker) return null;
  if (picker.for === 'step') return <KindPicker picker={picker} />;
  if (picker.for === 'port') return <PortPicker picker={picker} />;
  return <TargetPicker picker={picker} />;
}

function KindPicker({ picker }: { picker: Extract<Picker, { for: 'step' }> }) {
  const { t, i18n } = useTranslation();
  const builder = useBuilder();
  const choices = useKindChoices();
  const isBehind = picker.place.kind !== 'at';
  return (
    <OptionPicker
      title={t('builder.addStep')}
      at={picker.at}
      options={choices
        .filter(({ kind }) => !isBehind || isEntered(kind))
        .map(({ kind, label, help, group, refusal }) => ({
          value: kind,
          label,
          about: help,
          group: groupLabel(group, i18n.language),
          icon: <StepIcon kind={kind} size={16} />,
          ...(refusal ? { refusal } : {}),
        }))}
      onPick={(value) => {
        builder.pick(null);
        const choice = choices.find(({ kind }) => kind === value);
        if (choice) builder.addStep(choice.kind, picker.place);
      }}
      onClose={() => builder.pick(null)}
    />
  );
}

function PortPicker({ picker }: { picker: Extract<Picker, { for: 'port' }> }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const step = useDraft().steps.find(({ id }) => id === picker.from);
  if (!step) return null;
  return (
    <OptionPicker
      title={t('builder.fromWhichPort', { step: words.title(step) })}
      at={picker.at}
      options={portsOf(step).map((outcome) => ({ value: outcome, label: words.port(step, outcome) }))}
      onPick={(outcome) => builder.pick({ for: 'target', from: picker.from, outcome, at: picker.at })}
      onClose={() => builder.pick(null)}
    />
  );
}

/** All steps, as they flow; those that cannot be connected are there with the rule. A new step stands above them. */
function TargetPicker({ picker }: { picker: Extract<Picker, { for: 'target' }> }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const draft = useDraft();
  const { from, outcome, at } = picker;
  const step = draft.steps.find(({ id }) => id === from);
  if (!step) return null;
  const options = inFlow(draft).flatMap((target): PickerOption[] => {
    if (target.id === from) return [];
    const refusal = whyNotConnect(draft, { from, outcome, to: target.id });
    return [
      {
        value: target.id,
        label: words.title(target),
        icon: <StepIcon kind={target.kind} size={16} />,
        ...(target.name ? { about: words.kind(target.kind) } : {}),
        ...(refusal ? { refusal: t(refusal) } : {}),
      },
    ];
  });
  return (
    <OptionPicker
      title={t('builder.connectTo', { step: words.title(step), outcome: words.port(step, outcome) })}
      at={at}
      options={options.sort((a, b) => Number(a.refusal !== undefined) - Number(b.refusal !== undefined))}
      onPick={(to) => {
        builder.pick(null);
        builder.connect({ from, outcome, to });
      }}
      onClose={() => builder.pick(null)}
    />
  );
}
