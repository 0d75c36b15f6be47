import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { toast } from '../constants.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { themeVariables } from '../theme/theme.ts';
import classes from './toast-stack.module.css';

/** Where toasts stand and how they look (specification §9); loaded beside the page, not before it. */
export function ToastStack() {
  const primary = usePreferences((preferences) => preferences.primaryLight);
  return (
    <Notifications
      className={classes.stack}
      style={themeVariables(toast.theme, primary)}
      position={toast.position}
      autoClose={toast.autoClose}
      limit={5}
      zIndex={500}
    />
  );
}
