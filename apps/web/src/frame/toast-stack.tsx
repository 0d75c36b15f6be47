import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { toast } from '../constants.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { themeVariables } from '../theme/theme.ts';
import classes from './toast-stack.module.css';

/** Position and look of toasts. */
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
