import { deliveryTargetRoutes } from '@pdf2press/contract/calls';
import { ProfilesScreen } from '../profiles/profiles-screen.tsx';

export function DeliveryTargetsScreen() {
  return <ProfilesScreen kind="delivery" path="/delivery" routes={deliveryTargetRoutes} />;
}
