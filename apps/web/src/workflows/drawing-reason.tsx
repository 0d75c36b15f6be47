import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { useBuilt } from './builder-store.ts';

/** Shows why the connection being drawn cannot end at the step under the pointer. */
export function DrawingReason() {
  const { t } = useTranslation();
  const drawing = useBuilt((state) => state.drawing);
  const [told, setTold] = useState<{ code: string; x: number; y: number } | null>(null);
  useEffect(() => {
    if (!drawing) return setTold(null);
    const follow = (event: PointerEvent) => {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const id = under?.closest<HTMLElement>('.react-flow__node')?.dataset.id;
      const code = id === undefined ? undefined : drawing.refusals.get(id);
      setTold(code ? { code, x: event.clientX, y: event.clientY } : null);
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, [drawing]);
  return told ? (
    <span className={classes.reason} style={{ left: told.x + 16, top: told.y + 16 }}>
      {t(told.code)}
    </span>
  ) : null;
}
