import { IconTruckDelivery } from '@tabler/icons-react';
import { listAndForm } from '../frame/place.ts';

export const deliveryPlaces = listAndForm({
  name: 'delivery',
  nav: { key: 'delivery', group: 'profiles', rank: 85, icon: IconTruckDelivery },
  access: ['delivery.view'],
  loadList: async () => (await import('./delivery-targets-screen.tsx')).DeliveryTargetsScreen,
  loadForm: async () => (await import('./delivery-target-screen.tsx')).DeliveryTargetScreen,
});
