import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { toast } from '../constants.ts';

/** Where toasts stand (specification §9); loaded beside the page, not before it. */
export function ToastStack() {
  return <Notifications position={toast.position} autoClose={toast.autoClose} limit={5} zIndex={500} />;
}
