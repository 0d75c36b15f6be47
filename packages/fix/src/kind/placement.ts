import { choiceField, flagField, lengthField, mm } from '@pdf2press/settings';

/** Where something stands in the trim: at which edge, and where along it. */
export const pagePositions = [
  'TopLeft',
  'TopCentre',
  'TopRight',
  'MiddleLeft',
  'Middle',
  'MiddleRight',
  'BottomLeft',
  'BottomCentre',
  'BottomRight',
] as const;

/** Settings of an action that places something on pages. They refer to the page as displayed. */
export const placementFields = (position: (typeof pagePositions)[number]) => ({
  position: choiceField(position, pagePositions),
  /** From the left or right edge of the trim; without effect in the centre. */
  distanceX: lengthField(mm(10), { max: mm(1000) }),
  /** From the upper or lower edge; without effect in the middle. */
  distanceY: lengthField(mm(10), { max: mm(1000) }),
  /** Left and right change places on even pages. */
  facingPages: flagField(false),
  direction: choiceField('Across', ['Across', 'Up', 'Down']),
});

export interface Placement {
  position: (typeof pagePositions)[number];
  distanceX: number;
  distanceY: number;
  facingPages: boolean;
  direction: 'Across' | 'Up' | 'Down';
}
