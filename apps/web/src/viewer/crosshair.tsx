import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints } from '../language/formats.ts';
import { useUnit } from '../preferences/use-unit.ts';
import { type Opening, spotOn } from './openings.ts';
import { type Spot, toPoint } from './page-geometry.ts';
import { type Rotation, unrotatedWay } from './page-rotation.ts';
import classes from './viewer.module.css';

/** Shares of the opening by which a press moves it; with Ctrl the smaller one. */
const [step, smallStep] = [0.02, 0.002];
const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const within = (share: number) => Math.min(1, Math.max(0, share));

interface Props {
  opening: Opening;
  /** Arrow keys move it as the screen shows it. */
  rotation: Rotation;
  /** Where it is at first: shares of the opening. */
  start: Spot;
  /** It says where it is itself; otherwise whatever reads the inks there does. */
  isTold: boolean;
  onPoint: (spot: Spot | null) => void;
  /** As of the stage; absent where no tool draws. */
  onLine?: ((from: Spot, to: Spot) => void) | undefined;
  onLineEnd?: ((from: Spot, to: Spot) => void) | undefined;
  onEnd: () => void;
}

/** The pointer of the keyboard: arrow keys move it, Enter begins and ends what a tool draws, Escape takes it away. */
export function Crosshair({ opening, rotation, start, isTold, onPoint, onLine, onLineEnd, onEnd }: Props) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const [at, setAt] = useState<Spot>(start);
  const [from, setFrom] = useState<Spot | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.focus({ preventScroll: true });
    return () => {
      // Where nothing else was focused meanwhile.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => onPoint(at), [at]);
  useEffect(() => () => onPoint(null), []);

  const press = () => {
    if (!onLine) return;
    if (from === null) {
      setFrom(at);
      onLine(at, at);
      return;
    }
    setFrom(null);
    onLineEnd?.(from, at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [across, down] = unrotatedWay(ways[event.key] ?? [0, 0], rotation);
    if (across !== 0 || down !== 0) {
      const by = event.ctrlKey || event.metaKey ? smallStep : step;
      const next = { x: within(at.x + across * by), y: within(at.y + down * by) };
      setAt(next);
      if (from !== null) onLine?.(from, next);
    } else if (event.key === 'Enter') press();
    else if (event.key === 'Escape') onEnd();
    else return;
    // The same keys turn pages and leave dialogs elsewhere.
    event.preventDefault();
    event.stopPropagation();
  };
  const on = spotOn(opening, at);
  const { page = 1, userUnit = 1 } = on?.placed.page ?? {};
  const { x, y } = on ? toPoint(on.placed.page, on.spot) : at;
  return (
    <div
      ref={element}
      className={classes.over}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move what is in it
      tabIndex={0}
      role="application"
      aria-label={t('viewer.crosshair')}
      onKeyDown={onKeyDown}
      onBlur={onEnd}
    >
      <svg className={classes.over} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {['#fff', '#0f766e'].map((stroke, no) => (
          <path
            key={stroke}
            d={`M0 ${at.y}H1M${at.x} 0V1`}
            fill="none"
            stroke={stroke}
            strokeWidth={no === 0 ? 3 : 1}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {isTold && on && (
        <span className="visually-hidden" role="status">
          {opening.spine !== null && `${t('viewer.page', { page })}: `}x {formatPoints(x * userUnit, unit)}, y{' '}
          {formatPoints(y * userUnit, unit)}
        </span>
      )}
    </div>
  );
}
