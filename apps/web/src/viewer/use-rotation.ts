import type { Shortcut } from '../frame/shortcuts.ts';
import { keepRotation, type Rotation, rotatedFurther, useRotations } from './page-rotation.ts';

/**
 * How the pages that are seen together are turned, and what turns them. Each page of a file is remembered by itself; facing
 * pages lie as the first of them does.
 * @param pages the addresses of their thumbnails
 */
export function useRotation(
  pages: readonly string[],
  onRotated: () => void,
): { rotation: Rotation; rotateBy: (by: 90 | -90) => void; rotationKeys: readonly Shortcut[] } {
  const rotation = useRotations((rotations) => rotations[pages[0] ?? ''] ?? 0);
  const rotateBy = (by: 90 | -90) => {
    keepRotation(pages, rotatedFurther(rotation, by));
    onRotated();
  };
  return {
    rotation,
    rotateBy,
    rotationKeys: [
      { keys: 'q', label: 'keys.rotateRight', run: () => rotateBy(90) },
      { keys: 'shift+q', label: 'keys.rotateLeft', run: () => rotateBy(-90) },
    ],
  };
}
