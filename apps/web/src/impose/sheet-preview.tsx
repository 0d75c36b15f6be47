import { ActionIcon, Alert, Badge, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { type Cell, formatLength, nearestLocale, type Plan, type PlanProblem, type Unit } from '@pdf2press/contract';
import { problemSentence } from '@pdf2press/prepress/contracts';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './impose.module.css';
import { type PagePicture, SheetSide } from './sheet-drawing.tsx';

interface Props {
  /** The newest plan that could be made; null before the first. */
  plan: Plan | null;
  /** Why there is no newer one. */
  problems: readonly PlanProblem[];
  labelOf: (field: string) => string;
  pictures: ReadonlyMap<number, PagePicture>;
  unit: Unit;
}

const zooms = [1, 1.5, 2, 3, 4] as const;

/** The sheets of a plan, one side at a time, with what a pressman asks: how many up, how much paper, how much waste. */
export function SheetPreview({ plan, problems, labelOf, pictures, unit }: Props) {
  const { t, i18n } = useTranslation();
  const [sheetNumber, setSheetNumber] = useState(1);
  const [sideName, setSideName] = useState<'front' | 'back'>('front');
  const [zoom, setZoom] = useState(0);
  const [active, setActive] = useState<Cell | null>(null);
  const at = Math.min(sheetNumber, plan?.sheets.length ?? 1);
  const sheet = plan?.sheets[at - 1];
  const side = sheet && (sideName === 'back' ? sheet.back : sheet.front);
  const shownSide = side ?? sheet?.front;
  const isOld = problems.length > 0;
  const length = (points: number) => formatLength(points, unit, i18n.language);
  const step = (by: number) => setSheetNumber(Math.max(1, Math.min(plan?.sheets.length ?? 1, at + by)));
  return (
    <Stack gap="sm">
      {isOld && <Problems problems={problems} labelOf={labelOf} unit={unit} />}
      {sheet && shownSide && plan ? (
        <>
          <Group justify="space-between" wrap="nowrap">
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="default"
                disabled={at <= 1}
                aria-label={t('impose.sheetBefore')}
                onClick={() => step(-1)}
              >
                <IconChevronLeft size={16} />
              </ActionIcon>
              <Text size="sm" className={classes.facts}>
                {t('impose.sheetOf', { number: at, count: plan.sheets.length })}
              </Text>
              <ActionIcon
                variant="default"
                disabled={at >= plan.sheets.length}
                aria-label={t('impose.sheetAfter')}
                onClick={() => step(1)}
              >
                <IconChevronRight size={16} />
              </ActionIcon>
            </Group>
            <SegmentedControl
              size="xs"
              aria-label={t('impose.side')}
              value={side ? sideName : 'front'}
              disabled={sheet.back === null}
              onChange={(value) => setSideName(value === 'back' ? 'back' : 'front')}
              data={[
                { value: 'front', label: t('impose.front') },
                { value: 'back', label: t('impose.back') },
              ]}
            />
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="default"
                disabled={zoom === 0}
                aria-label={t('keys.zoomOut')}
                onClick={() => setZoom(zoom - 1)}
              >
                <IconZoomOut size={16} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                disabled={zoom === zooms.length - 1}
                aria-label={t('keys.zoomIn')}
                onClick={() => setZoom(zoom + 1)}
              >
                <IconZoomIn size={16} />
              </ActionIcon>
            </Group>
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable without a mouse */}
          <section className={classes.stage} tabIndex={0} aria-label={t('impose.preview')}>
            <svg
              role="img"
              aria-label={t('impose.sheetOf', { number: at, count: plan.sheets.length })}
              className={isOld ? classes.isOld : undefined}
              viewBox={`-2 -2 ${sheet.width + 4} ${sheet.height + 4}`}
              style={{ width: `${(zooms[zoom] ?? 1) * 100}%`, maxHeight: zoom === 0 ? '54vh' : 'none' }}
            >
              <SheetSide sheet={sheet} side={shownSide} pictures={pictures} active={active} onActive={setActive} />
            </svg>
          </section>
          <Group gap="lg" className={classes.facts}>
            <Fact label={t('impose.sheetSize')} value={`${length(sheet.width)} × ${length(sheet.height)}`} />
            <Fact label={t('impose.up')} value={String(shownSide.cells.length)} />
            <Fact label={t('impose.use')} value={percent(useOf(sheet, shownSide.cells), i18n.language)} />
            <Fact label={t('impose.sheets')} value={String(plan.sheets.reduce((sum, one) => sum + one.quantity, 0))} />
          </Group>
          {active && (
            <Text size="sm" className={classes.facts}>
              {cellSentence(active, t, length)}
            </Text>
          )}
          {plan.warnings.map((warning) => (
            <Group key={`${warning.code} ${warning.field}`} gap={6} wrap="nowrap" align="start">
              <Badge color="warning" variant="light" leftSection={<IconAlertTriangle size={12} />}>
                {labelOf(warning.field)}
              </Badge>
              <Text size="sm">{problemSentence(warning, nearestLocale(i18n.language), unit)}</Text>
            </Group>
          ))}
          <CellTable cells={shownSide.cells} />
        </>
      ) : (
        !isOld && <Text c="dimmed">{t('impose.noPreview')}</Text>
      )}
    </Stack>
  );
}

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

/** The drawing in words, for whoever cannot see it. */
function CellTable({ cells }: { cells: readonly Cell[] }) {
  const { t } = useTranslation();
  return (
    <div className={classes.visuallyHidden}>
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
