import { Children, type ReactNode } from 'react';
import classes from './list-rows.module.css';

/** A short list with dividing lines. */
export function ListRows({ children }: { children: ReactNode }) {
  return (
    <ul className={classes.list}>
      {Children.map(children, (child) => (
        <li>{child}</li>
      ))}
    </ul>
  );
}
