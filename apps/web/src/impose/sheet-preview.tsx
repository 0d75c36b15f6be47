import { Alert, Badge, Chip, Group, Stack, Table, Text } from '@mantine/core';
import { type Cell, formatLength, nearestLocale, type Plan, type PlanProblem, type Unit } from '@pdf2press/contract';
import { problemSentence } from '@pdf2press/impose/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../language/formats.ts';
import classes from './impose.module.css';
import { SheetBar, type SideName } from './sheet-bar.tsx';
import {
  Dimensions,
  dimensionRoom,
  type PagePicture,
  type SheetPart,
  SheetSide,
  sheetParts,
} from './sheet-drawing.tsx';

interface Props {
  /** The last valid plan; null before the first. */
  plan: Plan | null;
  /** Why the current settings have no plan. */
  problems: readonly PlanProblem[];
  labelOf: (field: string) => string;
  pictures: ReadonlyMap<number, PagePicture>;
  unit: Unit;
}

const zooms = [1, 1.5, 2, 3, 4] as const;

/** The sheets of a plan, one side at a time, with number up, paper use and waste. */
export function SheetPreview({ plan, problems, labelOf, pictures, unit }: Props) {
  const { t, i18n } = useTranslation();
  const [sheetNumber, setSheetNumber] = useState(1);
  const [sideName, setSideName] = useState<SideName>('front');
  const [zoom, setZoom] = useState(0);
  const [pointed, setPointed] = useState<Cell | null>(null);
  const at = Math.min(sheetNumber, plan?.sheets.length ?? 1);
  const sheet = plan?.sheets[at - 1];
  const side = sheet && (sideName === 'back' ? sheet.back : sheet.front);
  const shownSide = side ?? sheet?.front;
  const [parts, setParts] = useState<ReadonlySet<SheetPart>>(new Set(sheetParts));
  const hint = useId();
  // The selection is kept when the side changes.
  const active = shownSide?.cells.find((cell) => pointed !== null && isSamePlace(cell, pointed)) ?? null;
  const isOld = problems.length > 0;
  const length = (points: number) => formatLength(points, unit, i18n.language);
  const step = (by: number) => setSheetNumber(Math.max(1, Math.min(plan?.sheets.length ?? 1, at + by)));
  const turn = (by: number) => {
    const cells = shownSide?.cells ?? [];
    const from = active ? cells.indexOf(active) : by > 0 ? -1 : 0;
    setPointed(cells[(from + by + cells.length) % cells.length] ?? null);
  };
  const flip = () => sheet?.back && setSideName(sideName === 'back' ? 'front' : 'back');
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => turn(-1),
    ArrowRight: () => turn(1),
    PageUp: () => step(-1),
    PageDown: () => step(1),
    f: flip,
    '+': () => setZoom(Math.min(zooms.length - 1, zoom + 1)),
    '-': () => setZoom(Math.max(0, zoom - 1)),
  };
  const room = sheet && parts.has('dimensions') ? dimensionRoom(sheet) : 2;
  return (
    <Stack gap="sm">
      {isOld && <Problems problems={problems} labelOf={labelOf} unit={unit} />}
      {sheet && shownSide && plan ? (
        <>
          <SheetBar
            sheet={sheet}
            at={at}
            count={plan.sheets.length}
            side={side ? sideName : 'front'}
            zoom={zoom}
            lastZoom={zooms.length - 1}
            onStep={step}
            onSide={setSideName}
            onZoom={setZoom}
          />
          <section
            className={classes.stage}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable without a mouse
            tabIndex={0}
            aria-label={t('impose.sheetDrawn')}
            aria-describedby={hint}
            onKeyDown={(event) => {
              const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
              if (!act) return;
              event.preventDefault();
              act();
            }}
          >
            <svg
              role="img"
              aria-label={t('impose.sheetOf', { number: at, count: plan.sheets.length })}
              className={isOld ? classes.isOld : undefined}
              viewBox={`${-room} ${-room} ${sheet.width + 2 * room} ${sheet.height + 2 * room}`}
              style={{ width: `${(zooms[zoom] ?? 1) * 100}%`, maxHeight: zoom === 0 ? '54vh' : 'none' }}
            >
              <SheetSide
                sheet={sheet}
                side={shownSide}
                parts={parts}
                pictures={pictures}
                active={active}
                onActive={setPointed}
              />
              {parts.has('dimensions') && <Dimensions sheet={sheet} cells={shownSide.cells} say={length} />}
            </svg>
          </section>
          <Text size="xs" c="dimmed" id={hint}>
            {t('impose.keys')}
          </Text>
          <PartChips parts={parts} hasPictures={pictures.size > 0} onChange={setParts} />
          <SheetFacts plan={plan} sheet={sheet} cells={shownSide.cells} length={length} />
          <Text size="sm" className={classes.cell} role="status">
            {active && cellSentence(active, t, length)}
          </Text>
          <Warnings warnings={plan.warnings} labelOf={labelOf} unit={unit} />
          <CellTable cells={shownSide.cells} />
        </>
      ) : (
        !isOld && <Text c="dimmed">{t('impose.noPreview')}</Text>
      )}
    </Stack>
  );
}

const isSamePlace = (one: Cell, other: Cell): boolean =>
  one.row === other.row && one.column === other.column && one.station === other.station;

const useOf = (sheet: { width: number; height: number }, cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + cell.width * cell.height, 0) / (sheet.width * sheet.height);

const percent = (value: number, language: string) =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);

const cellSentence = (
  cell: Cell,
  t: (key: string, params: Record<string, unknown>) => string,
  length: (points: number) => string,
) =>
  t(cell.page === 0 ? 'impose.cellBlank' : 'impose.cell', {
    page: cell.page,
    row: cell.row + 1,
    column: cell.column + 1,
    rotation: cell.rotation,
    x: length(cell.x),
    y: length(cell.y),
    shift: length(Math.hypot(cell.shift.x, cell.shift.y)),
  });

interface FactsProps {
  plan: Plan;
  sheet: Plan['sheets'][number];
  cells: readonly Cell[];
  /** A length in points as text. */
  length: (points: number) => string;
}

function SheetFacts({ plan, sheet, cells, length }: FactsProps) {
  const { t, i18n } = useTranslation();
  const used = useOf(sheet, cells);
  return (
    <Group gap="lg" className={classes.facts}>
      <Fact label={t('impose.sheetSize')} value={`${length(sheet.width)} × ${length(sheet.height)}`} />
      <Fact label={t('impose.up')} value={String(cells.length)} />
      <Fact label={t('impose.use')} value={percent(used, i18n.language)} />
      <Fact label={t('impose.waste')} value={percent(1 - used, i18n.language)} />
      <Fact label={t('impose.sheets')} value={formatNumber(plan.sheets.reduce((sum, one) => sum + one.quantity, 0))} />
    </Group>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="sm" fw={600}>
      {value}
    </Text>
  </div>
);

function Problems({ problems, labelOf, unit }: Pick<Props, 'problems' | 'labelOf' | 'unit'>) {
  const { t, i18n } = useTranslation();
  return (
    <Alert color="error" icon={<IconAlertTriangle size={18} />} title={t('impose.previewNeedsValid')} role="status">
      <Stack gap={4}>
        {problems.map((problem) => (
          <Text key={`${problem.code} ${problem.field}`} size="sm">
            <b>{labelOf(problem.field)}:</b> {problemSentence(problem, nearestLocale(i18n.language), unit)}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

/** What the drawing shows besides the sheet. */
function PartChips({
  parts,
  hasPictures,
  onChange,
}: {
  parts: ReadonlySet<SheetPart>;
  hasPictures: boolean;
  onChange: (parts: ReadonlySet<SheetPart>) => void;
}) {
  const { t } = useTranslation();
  return (
    <Chip.Group multiple value={[...parts]} onChange={(chosen) => onChange(new Set(chosen as SheetPart[]))}>
      <Group gap={6}>
        {sheetParts
          .filter((part) => part !== 'pictures' || hasPictures)
          .map((part) => (
            <Chip key={part} value={part} size="xs" variant="light">
              {t(`impose.part.${part}`)}
            </Chip>
          ))}
      </Group>
    </Chip.Group>
  );
}

function Warnings({ warnings, labelOf, unit }: Pick<Plan, 'warnings'> & Pick<Props, 'labelOf' | 'unit'>) {
  const { i18n } = useTranslation();
  return warnings.map((warning) => (
    <Group key={`${warning.code} ${warning.field}`} gap={6} wrap="nowrap" align="start">
      <Badge color="warning" variant="light" style={{ flex: 'none' }} leftSection={<IconAlertTriangle size={12} />}>
        {labelOf(warning.field)}
      </Badge>
      <Text size="sm">{problemSentence(warning, nearestLocale(i18n.language), unit)}</Text>
    </Group>
  ));
}

/** The drawing as a table for screen readers. */
function CellTable({ cells }: { cells: readonly Cell[] }) {
  const { t } = useTranslation();
  return (
    <div className="visually-hidden">
      <Table>
        <Table.Caption>{t('impose.preview')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('impose.row')}</Table.Th>
            <Table.Th>{t('impose.column')}</Table.Th>
            <Table.Th>{t('impose.page')}</Table.Th>
            <Table.Th>{t('impose.rotation')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cells.map((cell) => (
            <Table.Tr key={`${cell.row}/${cell.column}/${cell.station ?? ''}`}>
              <Table.Td>{cell.row + 1}</Table.Td>
              <Table.Td>{cell.column + 1}</Table.Td>
              <Table.Td>{cell.page === 0 ? t('impose.blank') : cell.page}</Table.Td>
              <Table.Td>{cell.rotation}°</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
