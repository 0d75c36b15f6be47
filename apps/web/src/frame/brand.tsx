import { Link } from 'react-router';
import { appTitle } from '../constants.ts';
import classes from './frame.module.css';

/** The logo: a registration mark. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg className={classes.brandMark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <g fill="none" stroke="var(--p2p-surface)" strokeWidth="2.2" strokeLinecap="round">
        <circle cx="16" cy="16" r="6.2" />
        <path d="M16 5.5v21M5.5 16h21" />
      </g>
    </svg>
  );
}

export function BrandName() {
  return (
    <span>
      pdf<span className={classes.brandTwo}>2</span>press
    </span>
  );
}

export function Brand({ isCollapsed = false }: { isCollapsed?: boolean }) {
  return (
    <Link to="/" className={classes.brand} aria-label={appTitle}>
      <BrandMark />
      {!isCollapsed && <BrandName />}
    </Link>
  );
}
