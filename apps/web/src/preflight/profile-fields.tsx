import { profileFrameSchema } from '@pdf2press/preflight/contracts';
import { type FieldShape, SettingsFields, type SettingsWords, shapeOf } from '@pdf2press/ui';
import type { Control, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { useUnit } from '../preferences/use-unit.ts';
import { ChangedBadge } from './changed-badge.tsx';
import type { Differences } from './preset-differences.ts';

/** Minimum viewing distance, metres. */
const nearestMetres = 0.1;

const read = shapeOf(
  profileFrameSchema.pick({
    pageRange: true,
    considerLayers: true,
    scaleFactor: true,
    viewingDistanceM: true,
    boxPolicy: true,
  }),
);
/** Rules of this form that the schema does not express. */
function adapted(key: string, field: FieldShape): FieldShape {
  if (key === 'viewingDistanceM' && field.kind === 'number') return { ...field, min: nearestMetres };
  if (key === 'pageRange' && field.kind === 'text') return { ...field, lines: 1 };
  return field;
}
const shape: FieldShape =
  read.kind === 'group'
    ? { kind: 'group', fields: read.fields.map(([key, field]) => [key, adapted(key, field)] as const) }
    : read;

/** Settings of the whole profile: pages, layers, scale, and the substitute for a missing TrimBox. */
export function ProfileFields({
  control,
  differences,
  isReadOnly,
}: {
  control: Control<FieldValues>;
  differences: Differences;
  isReadOnly: boolean;
}) {
  const { t } = useTranslation();
  const [unit, setUnit] = useUnit();
  const option = (path: string, value: string): string => {
    if (path === 'boxPolicy.trimFallback') return `${value}Box`;
    return path === 'boxPolicy.onMissingTrim' ? t(`severity.${value}`) : t(`preflight.option.${value}`);
  };
  const words: SettingsWords = {
    label: (path) => t(`preflight.field.${path}`),
    help: (path) => t(`preflight.help.${path}`, { defaultValue: '' }) || undefined,
    option,
    note: (path) =>
      differences.has(path) && (
        <ChangedBadge value={differences.get(path)} sayOption={(value) => option(path, value)} isLength={false} />
      ),
  };
  return (
    <SectionCard title={t('preflight.whole')}>
      <SettingsFields
        shape={shape}
        name="settings"
        control={control}
        words={words}
        unit={unit}
        onUnitChange={setUnit}
        isReadOnly={isReadOnly}
      />
    </SectionCard>
  );
}
