import { ActionIcon, Button, Group, Modal, Slider, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowsDiagonal2, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './card-dialog.module.css';
import { card, cardLimits, cardPixelsOn, densityOf, draggedTo, useScreen } from './true-size.ts';

interface Props {
  onClose: () => void;
  /** The outline was made as large as a card: pixels of the screen per millimetre. */
  onMeasured: (density: number) => void;
}

/** Measures the screen: the reader makes an outline as large as a card that is held against it. */
export function CardDialog({ onClose, onMeasured }: Props) {
  const { t } = useTranslation();
  const density = useScreen((screen) => screen.density);
  const [long, setLong] = useState(() => Math.round(cardPixelsOn(density, window.devicePixelRatio)));
  // A telephone is narrower than a card is long.
  const isUpright = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const short = (long * card.short) / card.long;
  const step = (by: number) => setLong(Math.min(cardLimits.max, Math.max(cardLimits.min, long + by)));
  return (
    <Modal
      opened
      onClose={onClose}
      size={860}
      fullScreen={isUpright}
      title={t('viewer.card.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('viewer.card.how')}</Text>
        <div className={classes.steps}>
          <ActionIcon variant="default" size="lg" aria-label={t('viewer.card.smaller')} onClick={() => step(-1)}>
            <IconZoomOut size={18} />
          </ActionIcon>
          <Slider
            className={classes.slider}
            {...cardLimits}
            value={long}
            onChange={setLong}
            label={null}
            thumbSize={24}
            thumbLabel={t('viewer.card.length')}
          />
          <ActionIcon variant="default" size="lg" aria-label={t('viewer.card.larger')} onClick={() => step(1)}>
            <IconZoomIn size={18} />
          </ActionIcon>
        </div>
        <div className={classes.table}>
          <Outline
            size={isUpright ? { width: short, height: long } : { width: long, height: short }}
            onDrag={(corner) => setLong(draggedTo(corner, isUpright))}
          />
        </div>
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="dimmed" className={classes.kept}>
            {t('viewer.card.kept')}
          </Text>
          <Group gap="sm" className={classes.acts}>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button onClick={() => onMeasured(densityOf(long, window.devicePixelRatio))}>
              {t('viewer.card.done')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

interface OutlineProps {
  /** CSS pixels. */
  size: { width: number; height: number };
  /** The corner was dragged to this place, from the upper left of the outline. */
  onDrag: (corner: { x: number; y: number }) => void;
}

/** The outline of a card, whose lower right corner can be dragged; for keys there is the slider. */
function Outline({ size, onDrag }: OutlineProps) {
  const outline = useRef<HTMLDivElement>(null);
  const onPointerMove = (event: PointerEvent) => {
    const box = outline.current?.getBoundingClientRect();
    if (event.buttons === 0 || !box) return;
    onDrag({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  return (
    <div
      ref={outline}
      className={classes.card}
      style={{
        inlineSize: size.width,
        blockSize: size.height,
        borderRadius: (Math.max(size.width, size.height) * card.corner) / card.long,
      }}
      aria-hidden="true"
    >
      <span className={classes.chip} />
      <div
        className={classes.corner}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      >
        <IconArrowsDiagonal2 size={20} />
      </div>
    </div>
  );
}
